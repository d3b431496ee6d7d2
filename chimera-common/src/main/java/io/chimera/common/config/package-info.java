/** Sections of the configuration: one YAML file as a tree of immutable, self-validating records. */
package io.chimera.common.config;
