/** The interfaces that a plugin implements, and the interfaces that a plugin calls. */
package io.chimera.api.spi;
