/** The public API for plugin authors: data model, plugin interfaces and hot-path marker. Depends on the JDK and on the
 * annotations of JSpecify only. */
@NullMarked
package io.chimera.api;

import org.jspecify.annotations.NullMarked;
