/** Flows: groups packets by flow, counts packets and bytes, and converts flow records to data points. */
@NullMarked
package io.chimera.flow.table;

import org.jspecify.annotations.NullMarked;
