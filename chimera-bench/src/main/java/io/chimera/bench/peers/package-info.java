/** Comparison of Chimera with alternative engines, on the same job and the same points. */
package io.chimera.bench.peers;
