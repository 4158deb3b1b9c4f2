/** The header with which our API tells its time; read by the page's clock. */
export const timeHeader = 'x-holdfast-time';
