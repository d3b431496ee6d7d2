/** The warehouse: aggregates per group and field, on the heap or off the heap (Chimera 2017, III-D2). */
package io.chimera.processor.staging.warehouse;
