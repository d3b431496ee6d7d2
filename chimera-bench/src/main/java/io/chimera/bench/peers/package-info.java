/** Chimera beside the engines that a user might take instead, doing the same job over the same points. */
package io.chimera.bench.peers;
