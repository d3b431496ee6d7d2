/** Proofs that nothing is lost and nothing counted twice; nothing here is needed to run a cluster. */
package io.chimera.faults;
