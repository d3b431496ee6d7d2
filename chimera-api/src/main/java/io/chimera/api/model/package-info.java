/** The data model as immutable values: data points, their tags and fields, series keys and output rows. */
@NullMarked
package io.chimera.api.model;

import org.jspecify.annotations.NullMarked;
