/** The record of jobs over data sets in ZooKeeper. */
package io.chimera.node.dataset.board;
