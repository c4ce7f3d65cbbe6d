"use strict";
(() => {
  const find = document.getElementById("find");
  const found = document.getElementById("found");
  const all = [...document.querySelectorAll(".conversation")];
  const texts = all.map((one) => one.textContent.toLowerCase());
  const show = () => {
    const wanted = find.value.trim().toLowerCase();
    let count = 0;
    all.forEach((one, place) => {
      one.hidden = !texts[place].includes(wanted);
      if (!one.hidden) count += 1;
    });
    found.value = `${count} of ${all.length}`;
  };
  find.addEventListener("input", show);
  document.querySelector(".filter").hidden = false;
  show();
})();
