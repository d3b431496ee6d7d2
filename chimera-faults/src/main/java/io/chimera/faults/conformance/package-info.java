/** Conformance suites of protocols, published by others, run against a node. */
package io.chimera.faults.conformance;
