/**
 * Data sets: jobs that apply the cluster's pipelines to data that ends (Stream&amp;Compute and Copy&amp;Compute, 2013).
 */
@NullMarked
package io.chimera.dataset;

import org.jspecify.annotations.NullMarked;
