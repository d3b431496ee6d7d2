/**
 * Data sets: jobs that apply the cluster's pipelines to data that ends.
 */
@NullMarked
package io.chimera.dataset;

import org.jspecify.annotations.NullMarked;
