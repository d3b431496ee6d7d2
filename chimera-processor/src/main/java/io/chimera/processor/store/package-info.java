/** The stores that rows go to. */
package io.chimera.processor.store;
