/** The command {@code chimera bench paper}: Table II and Figures 5 to 8 of Chimera 2017, measured here. */
package io.chimera.bench.paper;
