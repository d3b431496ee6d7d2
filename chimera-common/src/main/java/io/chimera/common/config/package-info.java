/** The configuration: one YAML file as a tree of immutable records, each of which checks itself. */
package io.chimera.common.config;
