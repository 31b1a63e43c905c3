// A visitor who only reads a post needs no script: the page is whole. The app comes with the first
// sign of more than reading; what was pressed meanwhile is kept beside this (early-input.ts). Knows
// nothing of the app but its files (decision 0011).

/**
 * Runs in the head, as text like the theme's script beside it: a file of its own would be one more
 * request before the picture. The files of the app, the entry first, are in `data-app` of <html>.
 * Moving over the text or scrolling is reading; reaching for a control is not. Where the files did
 * not come, also on pages that do not wait, it says so and tries again with the next sign.
 */
export const WAKE_SCRIPT = `(function(){
var d=document,root=d.documentElement.dataset,files=root.app.split(' '),signs=['pointerdown','keydown','focusin','pointerover','click'],told;
function listen(on){signs.forEach(function(n){on(n,sign,{capture:true,passive:true})});on('online',wake)}
function add(tag,values){return d.head.appendChild(Object.assign(d.createElement(tag),values))}
function wake(){
listen(removeEventListener);
files.slice(1).forEach(function(f){add('link',{rel:'modulepreload',href:f})});
add('script',{type:'module',src:files[0]})
}
function sign(e){
var t=e.target;
if(e.type==='keydown'||t.closest&&t.closest('a,button,input,select,label,[role=button]'))wake()
}
function tell(text){
if(!told){told=d.createElement('p');told.className='strip strip--late';told.setAttribute('role','alert');d.body.prepend(told)}
told.textContent=text;told.hidden=!text
}
addEventListener('error',function(e){if(e.target.type==='module'){tell(root.late);listen(addEventListener)}},true);
d.addEventListener('load',function(e){if(told&&e.target.type==='module')tell('')},true);
if('asleep' in root)listen(addEventListener)
})()`
