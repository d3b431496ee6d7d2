/** Flows: groups packets by flow, counts packets and bytes, and converts flow records to data points. */
package io.chimera.flow.table;
