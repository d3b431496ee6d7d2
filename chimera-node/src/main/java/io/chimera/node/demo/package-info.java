/**
 * The demo: starts a whole cluster with its store as real processes on this machine, feeds, watches, checks and stops
 * it.
 */
package io.chimera.node.demo;
