/** Names rows: derives a row's metric and tags from pipeline, metric, tags, field and function. */
package io.chimera.common.row;
