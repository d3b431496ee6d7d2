/** Plan, injection and undoing of faults, and the measured recovery times. */
package io.chimera.faults.chaos.fault;
