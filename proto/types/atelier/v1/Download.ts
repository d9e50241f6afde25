// Original file: atelier/v1/library.proto


/**
 * That a file was downloaded: all requests of one hour from one network together.
 */
export interface DownloadInput {
  'download_id'?: (string);
  'file_id'?: (string);
  'product_slug'?: (string);
  'name'?: (string);
  'version'?: (string);
  'licence_id'?: (string);
  /**
   * Of the client, coarse: a /24 of IPv4 or a /48 of IPv6. Empty where it is not known.
   */
  'network'?: (string);
  'requests'?: (number);
  'first_at'?: (string);
  'last_at'?: (string);
}

/**
 * That a file was downloaded: all requests of one hour from one network together.
 */
export interface Download {
  'download_id': (string);
  'file_id': (string);
  'product_slug': (string);
  'name': (string);
  'version': (string);
  'licence_id': (string);
  /**
   * Of the client, coarse: a /24 of IPv4 or a /48 of IPv6. Empty where it is not known.
   */
  'network': (string);
  'requests': (number);
  'first_at': (string);
  'last_at': (string);
}
