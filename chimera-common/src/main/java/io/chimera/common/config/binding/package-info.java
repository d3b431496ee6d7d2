/** Binds YAML to configuration records: nodes with places, values, defaults, requirements and problems. */
package io.chimera.common.config.binding;
