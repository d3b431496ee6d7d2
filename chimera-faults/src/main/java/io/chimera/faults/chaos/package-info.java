/** A cluster of real processes under faults, and the proof that its store holds each point once. */
package io.chimera.faults.chaos;
