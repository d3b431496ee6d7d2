/** The public API for plugin authors: data model, plugin interfaces and hot-path marker. Depends on the JDK only. */
package io.chimera.api;
