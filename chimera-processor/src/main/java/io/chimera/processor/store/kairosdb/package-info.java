/** KairosDB, through its Java client. */
package io.chimera.processor.store.kairosdb;
