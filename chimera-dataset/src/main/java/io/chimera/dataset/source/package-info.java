/**
 * Where the bytes of a data set come from: {@link io.chimera.dataset.source.DataSource} and, in the packages below, one
 * client per protocol.
 */
@NullMarked
package io.chimera.dataset.source;

import org.jspecify.annotations.NullMarked;
