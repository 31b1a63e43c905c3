// Whether this browser can hand a page to other programs, told before anything is painted: the
// server does not know, and a button that came late would move what is around it.

/** Runs in the head (head-script.ts). `data-share` of <html> shows what is for sharing. */
export function noteSharing(): void {
  if ('share' in navigator) document.documentElement.dataset.share = ''
}
