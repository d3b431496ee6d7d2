/** PostgreSQL, through its JDBC driver: rows of a shard in one transaction. */
@NullMarked
package io.chimera.processor.store.postgresql;

import org.jspecify.annotations.NullMarked;
