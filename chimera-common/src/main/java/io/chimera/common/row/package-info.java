/** Names of rows: the rule by which a row's metric and tags follow from pipeline, metric, tags, field and function. */
package io.chimera.common.row;
