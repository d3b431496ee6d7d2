/** The warehouse: aggregates per group and field, on the heap or outside it (Chimera 2017, III-D2). */
package io.chimera.processor.staging.warehouse;
