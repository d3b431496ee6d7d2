/** Copies of the control state outside the coordinator. */
package io.chimera.common.cluster.control;
