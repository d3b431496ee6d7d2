/** Store of rows in memory, with faults. */
package io.chimera.testkit.store;
