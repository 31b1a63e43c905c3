// A visitor who only reads a post needs no script: the page is whole. The app comes with the first sign of more than reading; what
// was pressed meanwhile is kept beside this (early-input.ts). Knows nothing of the app but its files (decision 0011).

/**
 * Runs in the head, as text like the theme's script beside it: a file of its own would be one more request before the picture.
 * The files of the app, the entry first, are in `data-app` of <html>; only pages that are mostly read have it. Moving over the text or
 * scrolling is reading; reaching for a control is not.
 */
export const WAKE_SCRIPT = `(function(){
var d=document,files=(d.documentElement.dataset.app||'').split(' '),signs=['pointerdown','keydown','focusin','pointerover','click'];
function wake(){
signs.forEach(function(n){removeEventListener(n,sign,true)});
files.slice(1).forEach(function(f){var l=d.createElement('link');l.rel='modulepreload';l.href=f;d.head.append(l)});
var s=d.createElement('script');s.type='module';s.src=files[0];d.head.append(s)
}
function sign(e){
var t=e.target;
if(e.type==='keydown'||t.closest&&t.closest('a,button,input,select,label,summary,[role=button]'))wake()
}
if(files[0])signs.forEach(function(n){addEventListener(n,sign,{capture:true,passive:true})})
})()`
