/** Clocks and agent threads; the only package that reads the machine's clock. */
package io.chimera.common.agent;
