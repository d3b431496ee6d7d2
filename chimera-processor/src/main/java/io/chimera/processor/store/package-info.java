/** The stores of rows. */
package io.chimera.processor.store;
