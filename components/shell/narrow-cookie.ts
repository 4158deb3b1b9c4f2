/** Read by the layout on the server, written by the side bar. */
export const narrowCookie = 'holdfast-side-bar-narrow';
