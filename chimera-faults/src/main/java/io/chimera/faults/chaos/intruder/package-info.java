/** An intruder without valid credentials, who attacks every port of the cluster. */
package io.chimera.faults.chaos.intruder;
