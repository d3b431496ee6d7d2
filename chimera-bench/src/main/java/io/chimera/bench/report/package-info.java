/** The one form that figures are reported in, and the machine they were seen on. */
package io.chimera.bench.report;
