/** The input {@code capture}: converts packets to data points of flows (Fais et al. 2021, section 5). */
package io.chimera.flow.capture;
