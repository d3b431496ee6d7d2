/** The interfaces a plugin implements, and those it is handed while it works. */
package io.chimera.api.spi;
