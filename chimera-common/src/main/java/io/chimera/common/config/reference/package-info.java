/** Generates the reference and the schema of the configuration from its records. */
package io.chimera.common.config.reference;
