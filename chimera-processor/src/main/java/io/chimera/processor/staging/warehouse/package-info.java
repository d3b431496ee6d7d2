/** The warehouse: aggregates per group and field, on the heap or off the heap (Chimera 2017, III-D2). */
@NullMarked
package io.chimera.processor.staging.warehouse;

import org.jspecify.annotations.NullMarked;
