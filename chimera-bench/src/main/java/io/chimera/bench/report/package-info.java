/** Common report format of all measurements, including the machine. */
package io.chimera.bench.report;
