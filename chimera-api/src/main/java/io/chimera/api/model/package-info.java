/** The data model as immutable values: data points, their tags and fields, series keys and output rows. */
package io.chimera.api.model;
