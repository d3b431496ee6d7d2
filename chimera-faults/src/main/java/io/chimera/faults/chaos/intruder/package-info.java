/** An intruder without valid credentials attacks every port of the cluster. */
package io.chimera.faults.chaos.intruder;
