/** What a plugin author sees of Chimera: the data model, the plugin interfaces and the hot-path marker; JDK only. */
package io.chimera.api;
