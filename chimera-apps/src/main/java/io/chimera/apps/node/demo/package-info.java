/** The demo: a whole cluster with its store as real processes on this machine, fed, watched, checked and taken down. */
package io.chimera.apps.node.demo;
