/** Measurements; nothing here is needed to run a cluster. */
package io.chimera.bench;
