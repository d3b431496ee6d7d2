/** Checks across several sections of one configuration. */
package io.chimera.common.config.check;
