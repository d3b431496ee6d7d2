/** Processes of the measurements of data sets: servers, tools, and the commands of jobs. */
package io.chimera.bench.datasets.process;
