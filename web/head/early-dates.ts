// Dates on a page whose app sleeps, or is not there yet: in the reader's own language and time
// zone, which the server does not know.

/** How every date is written, by this script and by the app. */
export const DATE_FORMAT = { day: 'numeric', month: 'short', year: 'numeric' } as const

/**
 * Runs in the head, as text like the theme's script beside it. A date is rewritten while the page
 * is still being read, before it is painted, so that nothing moves; from then on dates are the
 * app's business.
 */
export const EARLY_DATES_SCRIPT = `(function(){
var d=document,format=new Intl.DateTimeFormat(undefined,${JSON.stringify(DATE_FORMAT)}),parts=new MutationObserver(show);
function show(){d.querySelectorAll('time[data-date]').forEach(function(t){var own=format.format(new Date(t.dateTime));if(t.textContent!==own)t.textContent=own})}
d.addEventListener('readystatechange',function(){show();parts.disconnect()},{once:true});
parts.observe(d,{childList:true,subtree:true})
})()`
